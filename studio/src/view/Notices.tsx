// Notes on the card: offline, refused, the advice to stop, what the last answer changed.
import { useEffect, useState } from "preact/hooks";
import type { Studio } from "../studio";
import { texts } from "../texts";
import { OddAnswers } from "./OddAnswers";

export function Notices({ studio }: { studio: Studio }) {
  return (
    <>
      {studio.offline.value && studio.graph.value && <Offline studio={studio} />}
      {studio.refused.value.length > 0 && (
        <div class="notice red" role="alert">
          <b>{texts.notice.refusedTitle}</b>
          <p>{studio.refused.value.at(-1)}</p>
          <div><button class="button" onClick={() => (studio.refused.value = [])}>{texts.notice.dismiss}</button></div>
        </div>
      )}
      <Stop studio={studio} />
      <OddAnswers studio={studio} />
    </>
  );
}

function Offline({ studio }: { studio: Studio }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const ago = studio.lastTry === null || studio.waiting.value === 0 ? null : Math.round((Date.now() - studio.lastTry) / 1000);
  return (
    <div class="notice amber" role="status">
      <b>{texts.notice.offlineTitle(studio.waiting.value)}</b>
      <p aria-live="off">{texts.notice.offline(ago)}</p>
    </div>
  );
}

function Stop({ studio }: { studio: Studio }) {
  const status = studio.status.value;
  if (!status?.advice.stop || studio.stopDismissed.value === status.target_error || status.answers === 0) return null;
  const further = !status.recall && !status.certified && status.target_error > 0.01 ? status.target_error / 2 : null;
  return (
    <div class="notice calm" role="status">
      <b>{texts.notice.stopTitle}</b>
      <p>{status.advice.words.charAt(0).toUpperCase() + status.advice.words.slice(1)}.</p>
      <div>
        <button class="button yes" onClick={() => (studio.dialog.value = "export")}>{texts.notice.exportNow}</button>
        {studio.exhausted.value ? null : further !== null && studio.question.value
          ? <button class="button" onClick={() => void studio.goOn(further)}>{texts.notice.goOn(further)}</button>
          : <button class="button" onClick={() => (studio.stopDismissed.value = status.target_error)}>{texts.notice.goOnLabelling}</button>}
      </div>
    </div>
  );
}

/** What just happened; said aloud by screen readers. */
export function SavedNotice({ studio }: { studio: Studio }) {
  const notice = studio.notice.value;
  return (
    <div class="saved" role="status">
      {notice && (
        <div class={`notice ${notice.kind}`}>
          <p><b>{notice.title}</b> {notice.words}</p>
          {studio.undone.value.length > 0 && (
            <div><button class="button redo" onClick={() => void studio.redo()}>{texts.card.redo} <kbd>⇧U</kbd></button></div>
          )}
        </div>
      )}
    </div>
  );
}
