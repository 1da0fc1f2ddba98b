import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Hint, watchChanges } from "./live.ts";
import { type Route, routeOf } from "./route.ts";
import { isUnauthorized, type Session, textOf } from "./session.ts";
import { signedOut } from "./signed-out.ts";

export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = (): void => setHash(location.hash);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return routeOf(hash);
};

export const useWork = () => {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(textOf(failure));
    }
    setBusy(false);
  };
  return { busy, error, run };
};

export interface Loaded<Value> {
  readonly value: Value | null;
  readonly error: string | null;
  readonly reload: () => void;
}

/**
 * Reads now, and again at each change that `concerns` this answer. Another `key` discards the old
 * answer. Only one read runs at a time.
 */
export const useLive = <Value>(
  key: string,
  read: () => Promise<Value>,
  concerns: (hint: Hint) => boolean = () => true,
): Loaded<Value> => {
  const [state, setState] = useState<{ key: string; value: Value | null; error: string | null }>({
    key,
    value: null,
    error: null,
  });
  const latest = useRef({ key, read, concerns });
  latest.current = { key, read, concerns };
  const running = useRef(false);
  const again = useRef(false);
  const run = useCallback(async (): Promise<void> => {
    again.current = true;
    if (running.current) return;
    running.current = true;
    while (again.current) {
      again.current = false;
      const asked = latest.current.key;
      try {
        const value = await latest.current.read();
        if (asked === latest.current.key) setState({ key: asked, value, error: null });
      } catch (error) {
        if (isUnauthorized(error)) signedOut();
        setState((old) => ({
          key: asked,
          value: old.key === asked ? old.value : null,
          error: textOf(error),
        }));
      }
    }
    running.current = false;
  }, []);
  useEffect(() => {
    void run();
  }, [key, run]);
  useChanges((hint) => {
    if (latest.current.concerns(hint)) void run();
  });
  const value = state.key === key ? state.value : null;
  return { value, error: state.error, reload: () => void run() };
};

/** A dialog, a menu of the editor and a field with text use the key themselves. */
export const useEscape = (react: () => void): void => {
  const latest = useRef(react);
  latest.current = react;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const isTaken = event.defaultPrevented || document.querySelector("dialog[open]") !== null;
      const isField = event.target instanceof HTMLInputElement && event.target.value !== "";
      if (event.key === "Escape" && !isTaken && !isField) latest.current();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
};

/** Repeats only while the page is visible. */
export const useRepeated = (repeat: () => void, everyMs: number, isWanted: boolean): void => {
  const latest = useRef(repeat);
  latest.current = repeat;
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== "hidden") latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isWanted]);
};

const listeners = new Set<(hint: Hint) => void>();

const useChanges = (changed: (hint: Hint) => void): void => {
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    const listener = (hint: Hint): void => latest.current(hint);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
};

export const useStream = (session: Session): { state: string; steps: boolean } => {
  const [state, setState] = useState<string>("polling");
  const [steps, setSteps] = useState(false);
  useEffect(
    () =>
      watchChanges(session, {
        state: setState,
        steps: () => setSteps(true),
        changed: (hint) => {
          for (const listener of listeners) listener(hint);
        },
      }),
    [session],
  );
  return { state, steps };
};
