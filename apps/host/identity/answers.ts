import * as z from "zod/mini";

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
