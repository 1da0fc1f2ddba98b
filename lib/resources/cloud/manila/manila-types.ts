import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { manilaSecurityService } from "./security-service.ts";
import { manilaShare } from "./share.ts";
import { manilaShareNetwork } from "./share-network.ts";
import { manilaShareType } from "./share-type.ts";

export const MANILA_TYPES: readonly DeclaredType[] = [
  manilaSecurityService,
  manilaShare,
  manilaShareNetwork,
  manilaShareType,
];
