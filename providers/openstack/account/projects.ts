/**
 * The application credential of each project: in the file of `--openstack`, or in a secret of a
 * deployment.
 */
import { isIP } from "node:net";
import * as z from "zod/mini";
import { readOperatorFile, unusableFile } from "../../operator-file.ts";

const url = z.url({ protocol: /^https?$/, error: "must be a URL" });

const text = z.string().check(z.minLength(1));

const place = {
  /** Keystone's URL, such as `https://keystone.example:5000/v3`. */
  auth_url: url,
  application_credential_id: text,
  region: text,
  interface: z._default(z.enum(["public", "internal"]), "public"),
  /** Allows plain HTTP, for a network that encrypts by itself. */
  plain_http: z._default(z.boolean(), false),
};

type Place = z.infer<z.ZodMiniObject<typeof place>>;

const inPrivate = z.refine<Place>(
  (one) => one.plain_http || isPrivate(one.auth_url),
  "auth_url sends the secret in clear text: use https, or set plain_http if its network encrypts by itself",
);

const project = z
  .strictObject({ ...place, secret_file: z.optional(text), secret_env: z.optional(text) })
  .check(
    z.refine(
      (one) => (one.secret_file === undefined) !== (one.secret_env === undefined),
      "needs either secret_file or secret_env",
    ),
    inPrivate,
  );

const credential = z
  .strictObject({ ...place, application_credential_secret: text })
  .check(inPrivate);

const projects = z.strictObject({ projects: z.record(z.string(), project) });

export interface Credential {
  readonly authUrl: string;
  readonly id: string;
  readonly secret: string;
  readonly region: string;
  readonly interface: "public" | "internal";
  readonly plainHttp: boolean;
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));

/** Whether nobody else can read what is sent to this URL. */
export const isPrivate = (text: string): boolean => {
  // Another check refuses a text that is not a URL.
  if (!URL.canParse(text)) return true;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLoopback(hostname);
};

export interface SecretPlaces {
  readonly file: (path: string) => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Given = z.infer<typeof project>;

const credentialAt = (given: Place, secret: string): Credential => ({
  authUrl: given.auth_url.replace(/(?<!\/)\/+$/, ""),
  id: given.application_credential_id,
  secret,
  region: given.region,
  interface: given.interface,
  plainHttp: given.plain_http,
});

const secretOf = (
  given: Given,
  places: SecretPlaces,
  operatorFile: string,
  where: string,
): string => {
  const { secret_file: file, secret_env: name } = given;
  const secret =
    file === undefined ? (places.environment[name ?? ""] ?? "") : places.file(file).trim();
  if (secret !== "") return secret;
  const place = file ?? `the variable ${name}`;
  throw unusableFile(operatorFile, `${where}: ${place} has no secret`);
};

export const readProjects = (
  content: unknown,
  file: string,
  places: SecretPlaces,
): ReadonlyMap<string, Credential> =>
  new Map(
    Object.entries(readOperatorFile(projects, content, file).projects).map(([name, given]) => [
      name,
      credentialAt(given, secretOf(given, places, file, `projects.${name}`)),
    ]),
  );

/** `where` names the place of the content in an error. Throws OperatorFileRefused. */
export const readCredential = (content: unknown, where: string): Credential => {
  const given = readOperatorFile(credential, content, where);
  return credentialAt(given, given.application_credential_secret);
};
