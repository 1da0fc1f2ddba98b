import { z } from "zod";
import { parseJson } from "#lib/json.ts";
import type { Profiles } from "./profile.ts";

const ProfileShape = z.object({
  endpoint: z.url({ protocol: /^https?$/ }),
  project: z.string().min(1),
  token: z.string().min(1).optional(),
  caFile: z.string().min(1).optional(),
  plainHttp: z.boolean().optional(),
});
const ProfilesShape = z.object({ profiles: z.record(z.string(), ProfileShape) });

export const parseProfiles = (text: string): Profiles | null => {
  try {
    return new Map(Object.entries(ProfilesShape.parse(parseJson(text)).profiles));
  } catch {
    return null;
  }
};
