const EVENT = "hearth-signed-out";

export const signedOut = (): void => {
  dispatchEvent(new Event(EVENT));
};

export const onSignedOut = (listener: () => void): (() => void) => {
  addEventListener(EVENT, listener);
  return () => removeEventListener(EVENT, listener);
};
