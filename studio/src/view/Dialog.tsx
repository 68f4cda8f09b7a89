// A dialog of the browser's own: focus stays inside, Esc closes it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../texts";

export function Dialog({ title, close, children, wide }: { title: string; close: () => void; children: ComponentChildren; wide?: boolean }) {
  const box = useRef<HTMLDialogElement>(null);
  // Before the next key arrives: what is typed right after / belongs into the field.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current!.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog ref={box} class={wide ? "wide" : ""} aria-label={title} onClose={close} onClick={(event) => event.target === box.current && close()}>
      <div class="inner">
        <h2>{title}<button class="button" onClick={close} aria-label={texts.notice.dismiss}>×</button></h2>
        {children}
      </div>
    </dialog>
  );
}
