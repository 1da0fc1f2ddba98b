import { createHash } from "node:crypto";

/** AWS accepts 128 characters, and fewer signs than Hearth's tokens contain. */
export const clientTokenOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex");
