import type { WireChange } from "./wire.ts";

export const CHANGE_SIGNS: Readonly<Record<string, string>> = {
  added: "+",
  updated: "~",
  replaced: "±",
  deleted: "-",
};

const FATES: Readonly<Record<string, string>> = {
  interrupted: "interrupts its",
  awaited: "waits for its",
  "ended for the delete": "ends its",
};

export const operationWords = ({ operation }: WireChange): string | null =>
  operation === null
    ? null
    : `${FATES[operation.fate] ?? operation.fate} ${operation.action}, which goes on`;

export const UNKNOWN_VALUE = "known after the update";
