/** Tells the page that the API no longer takes its token. */

const EVENT = "hearth-signed-out";

export const signedOut = (): void => {
  dispatchEvent(new Event(EVENT));
};

/** Returns how to stop listening. */
export const onSignedOut = (listener: () => void): (() => void) => {
  addEventListener(EVENT, listener);
  return () => removeEventListener(EVENT, listener);
};
