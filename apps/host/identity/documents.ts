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

export interface IssuedToken {
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
