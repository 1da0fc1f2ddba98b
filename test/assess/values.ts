/** Values for parameters that refuse a placeholder, such as an address. */
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";

const VALUES: JsonObject = {
  admin_pass: "Secret1",
  asg_template_repo_address: "Heat::NodeInstance",
  drupal_admin_email: "operator@example.org",
  lengths: ["8", "16"],
  mssql_service_user_password: "Very-secret-1",
  private_net_cidr: "10.9.0.0/24",
  private_net_gateway: "10.9.0.1",
  private_net_pool_end: "10.9.0.200",
  private_net_pool_start: "10.9.0.10",
  sa_password: "Very-secret-1",
  safe_mode_administrator_password: "Very-secret-1",
};

export const plausible = (parameters: JsonObject): JsonObject =>
  mapOf(
    Object.keys(parameters).flatMap((name): [string, Json][] => {
      const value = VALUES[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

export interface Beside {
  readonly types: Readonly<Record<string, string>>;
  readonly defaults: JsonObject;
}

const NODES: Beside = {
  types: { "Heat::NodeInstance": "nodeinstance.yaml" },
  defaults: { public_net_id: "public" },
};

export const ENVIRONMENTS: ReadonlyMap<string, Beside> = new Map([
  ["openshift-scalable-cpu-nbgears/openshift.yaml", NODES],
  ["openshift-scalable-cpu/openshift.yaml", NODES],
  ["openshift-scalable-nbgears/openshift.yaml", NODES],
]);
