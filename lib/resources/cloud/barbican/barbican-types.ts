import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { barbicanCertificateContainer } from "./certificate-container.ts";
import { barbicanGenericContainer } from "./generic-container.ts";
import { barbicanOrder } from "./order.ts";
import { barbicanRsaContainer } from "./rsa-container.ts";
import { barbicanSecret } from "./secret.ts";

export const BARBICAN_TYPES: readonly DeclaredType[] = [
  barbicanCertificateContainer,
  barbicanGenericContainer,
  barbicanOrder,
  barbicanRsaContainer,
  barbicanSecret,
];
