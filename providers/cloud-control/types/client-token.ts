/** The tokens that AWS gets: short texts, made of the operation's. */
import { createHash } from "node:crypto";

/** AWS takes 128 characters, and not all that Hearth's tokens have. */
export const clientTokenOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex");
