import { resolve } from "node:path";
import { createToken, listTokens, revokeToken, type TokenEntry } from "#host/credentials.ts";
import { tableLines } from "../print.ts";
import { printer } from "../session.ts";
import { folderWork } from "./folder-work.ts";

type Rights = TokenEntry["rights"];

interface Place {
  readonly data: string;
  readonly json: boolean;
}

const isoOrNever = (at: number | null): string =>
  at === null ? "never" : new Date(at).toISOString();

const documentOf = ({ id, project, createdAt, expiresAt, rights }: TokenEntry) => ({
  id,
  project,
  created_at: new Date(createdAt).toISOString(),
  expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  read_only: rights.mayOnlyRead === true,
  stack: rights.stack ?? null,
});

const rightsText = ({ mayOnlyRead, stack }: Rights): string =>
  `${mayOnlyRead ? "reads" : "all"}${stack === undefined ? "" : ` of stack ${stack}`}`;

export const createIn = (
  { data, json, project }: Place & { readonly project: string },
  lifetimeMs: number | null,
  rights: Rights,
): void => {
  const made = folderWork("No token was made", () =>
    createToken(data, project, lifetimeMs, rights),
  );
  const end = isoOrNever(made.expiresAt);
  printer(json)({ token: { ...documentOf(made), token: made.token } }, () => [made.token]);
  // Standard output contains only the token, for scripts.
  process.stderr.write(
    `Token ${made.id} of project ${project} in ${resolve(data)}, expires: ${end}. A host that only this machine reaches reads tokens with --auth tokens only.\n`,
  );
};

export const listIn = ({
  data,
  json,
  project,
}: Place & { readonly project: string | null }): void => {
  const entries = folderWork("The tokens cannot be listed", () => listTokens(data, project));
  const rows = entries.map(({ id, project: owner, createdAt, expiresAt, rights }) => [
    id,
    owner,
    isoOrNever(createdAt),
    isoOrNever(expiresAt),
    rightsText(rights),
  ]);
  printer(json)({ tokens: entries.map(documentOf) }, () =>
    tableLines(["ID", "PROJECT", "CREATED", "EXPIRES", "MAY"], rows),
  );
};

export const revokeIn = ({ data, json }: Place, named: string): void => {
  const entry = folderWork("The token is as before", () => revokeToken(data, named));
  printer(json)({ revoked: documentOf(entry) }, () => [
    `Revoked the token ${entry.id} of project ${entry.project}.`,
  ]);
};
