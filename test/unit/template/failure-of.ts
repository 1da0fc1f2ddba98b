import { RequestError } from "#lib/errors.ts";

export const failureOf = (run: () => unknown): { code: string; message: string } | null => {
  try {
    run();
    return null;
  } catch (failure) {
    if (failure instanceof RequestError) return { code: failure.code, message: failure.message };
    throw failure;
  }
};
