/** Parts of the console that are loaded only when somebody looks at them. */
import { useEffect, useState } from "preact/hooks";
import { textOf } from "./session.ts";

/** `load` must be the same function each time. Both are null while it loads. */
export const useModule = <Module>(
  load: () => Promise<Module>,
): { readonly module: Module | null; readonly error: string | null } => {
  const [module, setModule] = useState<Module | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // A component is a function too, and a state setter would call it.
    load().then(
      (loaded) => setModule(() => loaded),
      (failure) => setError(textOf(failure)),
    );
  }, [load]);
  return { module, error };
};
