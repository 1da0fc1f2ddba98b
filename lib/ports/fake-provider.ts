/**
 * The provider of the test types (OS::Heat::TestResource, Hearth::Test::Scenario). Its objects have
 * a store of their own, so that tests can find leaked objects. It keeps tokens: a call that is
 * repeated with its token has one effect and gets the same answer.
 */
import type { JsonObject } from "#lib/json.ts";

export interface FakeObject {
  readonly tenant?: string | undefined;
  readonly physicalId: string;
  readonly stackName: string;
  readonly logicalName: string;
  readonly type: string;
  readonly properties: JsonObject;
}

export interface CreateObject extends Omit<FakeObject, "physicalId"> {
  readonly token: string;
  readonly waitMs: number;
}

export interface UpdateObject extends Pick<FakeObject, "tenant"> {
  readonly token: string;
  readonly physicalId: string;
  readonly properties: JsonObject;
  readonly waitMs: number;
}

export type DeleteObject = Omit<UpdateObject, "properties">;

export type FakeAnswer =
  | { readonly state: "done"; readonly physicalId: string }
  | { readonly state: "working"; readonly physicalId: string; readonly readyAt: number }
  | { readonly state: "missing" };

/** An adoption can name any id, also the id of another project's object. */
export const isReachable = (
  object: Pick<FakeObject, "tenant">,
  { tenant }: Pick<FakeObject, "tenant">,
): boolean => object.tenant === undefined || tenant === undefined || object.tenant === tenant;

export interface FakeProvider {
  create(request: CreateObject): Promise<FakeAnswer>;
  update(request: UpdateObject): Promise<FakeAnswer>;
  delete(request: DeleteObject): Promise<FakeAnswer>;
  poll(token: string): Promise<FakeAnswer>;
  list(): Promise<readonly FakeObject[]>;
}
