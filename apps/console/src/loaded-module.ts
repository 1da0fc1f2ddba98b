import { useEffect, useState } from "preact/hooks";
import { textOf } from "./session.ts";

/** The host of an open page may have another version now, whose parts have other addresses. */
const notLoaded = (failure: unknown): string =>
  `This part of the console could not be loaded (${textOf(failure)}). The host may have another version now: load the page again.`;

/** `load` must be the same function at each call, because another one loads again. */
export const useModule = <Module>(
  load: () => Promise<Module>,
): { readonly module: Module | null; readonly error: string | null } => {
  const [module, setModule] = useState<Module | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // A component is a function, which a state setter would call.
    load().then(
      (loaded) => setModule(() => loaded),
      (failure) => setError(notLoaded(failure)),
    );
  }, [load]);
  return { module, error };
};
