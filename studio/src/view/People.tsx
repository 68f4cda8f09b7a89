// Who answered how much, how far they agree, and what is to settle.
import { useEffect } from "preact/hooks";
import type { Studio } from "../studio";
import { texts } from "../texts";

const PERSON = "lapwing:person";

export function People({ studio, close }: { studio: Studio; close: () => void }) {
  useEffect(() => void studio.fill(), []); // who holds what may be older than this
  const status = studio.status.value;
  const agreement = status?.agreement;
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name") ?? "").trim();
    localStorage.setItem(PERSON, name);
    location.reload();
  };
  return (
    <div class="folk">
      <ul>
        {status?.people.map((each) => (
          <li key={each.by}><b>{each.by}</b>{studio.mine(each.by) && ` (${texts.people.you})`}<span>{texts.people.answers(each.answers)}</span></li>
        ))}
      </ul>
      <p>{agreement && agreement.pairs > 0 && agreement.kappa !== null ? texts.people.agreement(agreement.kappa, agreement.pairs) : texts.people.noAgreement}</p>
      <h3>{texts.people.disagreements}</h3>
      {status?.disagreements.length ? (
        <ul>
          {status.disagreements.slice(0, 50).map((each: any) => (
            <li key={each.node}>
              <b>{each.node}</b>
              <span>{Object.entries(each.said ?? {}).map(([by, label]) => `${by}: ${label}`).join(" · ")}</span>
              <button class="button" onClick={() => { close(); void studio.askAbout(String(each.node)); }}>{texts.people.settle}</button>
            </li>
          ))}
        </ul>
      ) : <p>{texts.people.none}</p>}
      {studio.held.value.length > 0 && (
        <>
          <h3>{texts.people.holding}</h3>
          <ul>{studio.held.value.map((each) => <li key={each.node}>{texts.bar.holds(each.by, each.node)}</li>)}</ul>
        </>
      )}
      <form class="rename" onSubmit={rename}>
        <label>{texts.people.name} <input name="name" type="text" defaultValue={studio.port.person} autocomplete="username" /></label>
        <button class="button">{texts.people.rename}</button>
      </form>
    </div>
  );
}
