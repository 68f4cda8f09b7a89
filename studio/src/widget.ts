// The notebook's widget (anywidget): the same studio in a cell.
import { modelPort, type Model } from "./model_port";
import { mount } from "./mount";
import styles from "./style.css?inline";

export default {
  render({ model, el }: { model: Model; el: HTMLElement }) {
    const root = el.attachShadow ? el.attachShadow({ mode: "open" }) : el;
    const sheet = document.createElement("style");
    sheet.textContent = styles.replaceAll(":root", ":host");
    const box = document.createElement("div");
    box.style.height = `${model.get("height") ?? 640}px`;
    root.append(sheet, box);
    const { port, close } = modelPort(model);
    const end = mount(box, port);
    return () => {
      end();
      close();
    };
  },
};
