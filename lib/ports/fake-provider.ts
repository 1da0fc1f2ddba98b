/**
 * The provider of the test types (OS::Heat::TestResource, Hearth::Test::Scenario). Its objects are
 * in a store of their own, so that tests see a leaked object. It keeps tokens: a call that is
 * repeated with its token has one effect and gets the same answer.
 */
import type { JsonObject } from "#lib/json.ts";

export interface FakeObject {
  /** Only a call of this project changes or deletes it. Absent: anybody's does. */
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

export interface DeleteObject extends Pick<FakeObject, "tenant"> {
  readonly token: string;
  readonly physicalId: string;
  readonly waitMs: number;
}

export type FakeAnswer =
  | { readonly state: "done"; readonly physicalId: string }
  | { readonly state: "working"; readonly physicalId: string; readonly readyAt: number }
  | { readonly state: "missing" };

/** By an adoption a stack can name any id. */
export const isReachable = (
  object: Pick<FakeObject, "tenant">,
  { tenant }: Pick<FakeObject, "tenant">,
): boolean => object.tenant === undefined || tenant === undefined || object.tenant === tenant;

export interface FakeProvider {
  create(request: CreateObject): Promise<FakeAnswer>;
  /** Another project's object is a missing one. */
  update(request: UpdateObject): Promise<FakeAnswer>;
  /** Deleting a missing object succeeds. */
  delete(request: DeleteObject): Promise<FakeAnswer>;
  /** The progress of the call with this token. */
  poll(token: string): Promise<FakeAnswer>;
  list(): Promise<readonly FakeObject[]>;
}
