// A field for a token, where the server wants one.
import type { Port } from "../port";
import { texts } from "../texts";

export function Signing({ port }: { port: Port }) {
  const signed = (event: SubmitEvent) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get("token") ?? "").trim();
    if (token) port.sign?.(token);
  };
  return (
    <form class="begin" onSubmit={signed}>
      <label>{texts.signing.token}<input name="token" type="password" autocomplete="current-password" autofocus /></label>
      <p class="hint">{texts.signing.hint}</p>
      <div class="row"><button class="button yes">{texts.signing.use}</button></div>
    </form>
  );
}
