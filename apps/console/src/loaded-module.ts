import { useEffect, useState } from "preact/hooks";
import { textOf } from "./session.ts";

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
      (failure) => setError(textOf(failure)),
    );
  }, [load]);
  return { module, error };
};
