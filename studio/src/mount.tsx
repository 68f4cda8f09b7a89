// mount(element, port): the studio inside any element, talking through any port.
import { render } from "preact";
import type { Port } from "./port";
import { Studio } from "./studio";
import { App } from "./view/App";
import { Start } from "./view/Start";

export function mount(element: HTMLElement, port: Port): () => void {
  element.classList.add("lapwing-studio");
  if (!port.session) {
    render(<Start port={port} />, element);
    return () => render(null, element);
  }
  const studio = new Studio(port);
  render(<App studio={studio} />, element);
  void studio.start();
  return () => {
    studio.close();
    render(null, element);
  };
}
