// When the browser has time, and when it has drawn; at once where there is no screen.
const IDLE = 300;

/** Resolves when nothing else is to be done, or soon. */
export function leisure(): Promise<void> {
  if (!("requestIdleCallback" in globalThis)) return Promise.resolve();
  return new Promise((done) => requestIdleCallback(() => done(), { timeout: IDLE }));
}

/** Resolves after the next frame. */
export function drawn(): Promise<void> {
  if (!("requestAnimationFrame" in globalThis)) return Promise.resolve();
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
}
