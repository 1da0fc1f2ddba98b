/** The file of `--openstack`: the application credential of each project. */
import { isIP } from "node:net";
import * as z from "zod/mini";
import { readOperatorFile, unusableFile } from "../../operator-file.ts";

const url = z.url({ protocol: /^https?$/, error: "must be a URL" });

const project = z
  .strictObject({
    /** Keystone's URL, such as `https://keystone.example:5000/v3`. */
    auth_url: url,
    application_credential_id: z.string().check(z.minLength(1)),
    secret_file: z.optional(z.string().check(z.minLength(1))),
    secret_env: z.optional(z.string().check(z.minLength(1))),
    region: z.string().check(z.minLength(1)),
    interface: z._default(z.enum(["public", "internal"]), "public"),
    /** Allows plain HTTP, for a network that encrypts by itself. */
    plain_http: z._default(z.boolean(), false),
  })
  .check(
    z.refine(
      (one) => (one.secret_file === undefined) !== (one.secret_env === undefined),
      "needs either secret_file or secret_env",
    ),
    z.refine(
      (one) => one.plain_http || isPrivate(one.auth_url),
      "auth_url sends the secret in clear text: use https, or set plain_http if its network encrypts by itself",
    ),
  );

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
      {
        authUrl: given.auth_url.replace(/(?<!\/)\/+$/, ""),
        id: given.application_credential_id,
        secret: secretOf(given, places, file, `projects.${name}`),
        region: given.region,
        interface: given.interface,
        plainHttp: given.plain_http,
      },
    ]),
  );
