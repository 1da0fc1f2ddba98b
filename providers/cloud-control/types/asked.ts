import { CallerRefused } from "#provider/caller-refused.ts";
import type { Answer } from "#provider/provider.ts";
import { NoRole, Refused, TryAgain } from "../client.ts";

/** The role was deleted or lacks a permission, or Hearth may not assume the role. */
const NOT_ALLOWED: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "AuthFailure",
  "CredentialsProviderError",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "OptInRequired",
  "SignatureDoesNotMatch",
  "UnauthorizedOperation",
  "UnrecognizedClientException",
]);

/** Every request has a token, so a request whose outcome is unknown can be repeated. */
export const asked = async <Found extends Answer | null>(
  work: () => Promise<Found>,
): Promise<Found | Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TryAgain) {
      return { state: "throttled", afterSeconds: error.afterSeconds, reason: error.message };
    }
    if (error instanceof NoRole) throw new CallerRefused(error.message, { cause: error });
    if (!(error instanceof Refused)) throw error;
    const reason = `AWS: ${error.code}: ${error.message}`;
    if (NOT_ALLOWED.has(error.code)) throw new CallerRefused(reason, { cause: error });
    return { state: "failed", reason };
  }
};
