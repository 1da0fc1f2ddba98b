import * as z from "zod/mini";
import { OWN_REGION } from "#lib/model/stack.ts";

const DOMAIN = { id: "default", name: "Default" } as const;
const ROLES = [{ id: "member", name: "member" }] as const;

export const versionDocument = (publicUrl: string) => ({
  id: "v3.14",
  status: "stable",
  updated: "2020-04-07T00:00:00Z",
  links: [{ rel: "self", href: `${publicUrl}/v3/` }],
  "media-types": [{ base: "application/json", type: "application/vnd.openstack.identity-v3+json" }],
});

const projectOf = (project: string) => ({ id: project, name: project, domain: DOMAIN });

export const projectsDocument = (publicUrl: string, project: string) => ({
  projects: [
    {
      ...projectOf(project),
      domain_id: DOMAIN.id,
      enabled: true,
      is_domain: false,
      links: { self: `${publicUrl}/v3/projects/${encodeURIComponent(project)}` },
    },
  ],
  links: { self: `${publicUrl}/v3/auth/projects`, previous: null, next: null },
});

const service = (type: string, name: string, url: string) => ({
  id: type,
  type,
  name,
  endpoints: ["public", "internal", "admin"].map((face) => ({
    id: `${type}-${face}`,
    interface: face,
    region: OWN_REGION,
    region_id: OWN_REGION,
    url,
  })),
});

export const catalogOf = (publicUrl: string, project: string) => [
  service("orchestration", "heat", `${publicUrl}/v1/${encodeURIComponent(project)}`),
  service("identity", "keystone", `${publicUrl}/v3`),
];

interface IssuedToken {
  readonly methods: readonly string[];
  readonly user: string;
  readonly project: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Keystone's times have six digits after the second. */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");

export const tokenDocument = (
  publicUrl: string,
  { methods, user, project, issuedAt, expiresAt }: IssuedToken,
) => ({
  token: {
    methods,
    user: { id: user, name: user, domain: DOMAIN, password_expires_at: null },
    project: projectOf(project),
    is_domain: false,
    roles: ROLES,
    audit_ids: [],
    issued_at: timeOf(issuedAt),
    expires_at: timeOf(expiresAt),
    catalog: catalogOf(publicUrl, project),
  },
});

const Domain = z.object({ id: z.string(), name: z.string() });
const Project = z.object({ id: z.string(), name: z.string(), domain: Domain });
const Named = z.object({ id: z.string(), name: z.string() });
const SelfLink = z.object({ self: z.string() });

const Catalog = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    endpoints: z.array(
      z.object({
        id: z.string(),
        interface: z.enum(["public", "internal", "admin"]),
        region: z.string(),
        region_id: z.string(),
        url: z.string(),
      }),
    ),
  }),
);

export const IdentityVersionAnswer = z.object({
  version: z.object({
    id: z.string(),
    status: z.string(),
    updated: z.string(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })),
    "media-types": z.array(z.object({ base: z.string(), type: z.string() })),
  }),
});

export const TokenAnswer = z.object({
  token: z.object({
    methods: z.array(z.string()),
    user: z.object({
      id: z.string(),
      name: z.string(),
      domain: Domain,
      password_expires_at: z.null(),
    }),
    project: Project,
    is_domain: z.boolean(),
    roles: z.array(Named),
    audit_ids: z.array(z.string()),
    issued_at: z.string(),
    expires_at: z.string(),
    catalog: Catalog,
  }),
});

export const CatalogAnswer = z.object({ catalog: Catalog, links: SelfLink });

export const ProjectsAnswer = z.object({
  projects: z.array(
    z.extend(Project, {
      domain_id: z.string(),
      enabled: z.boolean(),
      is_domain: z.boolean(),
      links: SelfLink,
    }),
  ),
  links: z.object({ self: z.string(), previous: z.null(), next: z.null() }),
});

export const IdentityFault = z.object({
  error: z.object({ code: z.int(), title: z.string(), message: z.string() }),
});
