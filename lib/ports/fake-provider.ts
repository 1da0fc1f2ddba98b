/**
 * The provider of the test types (OS::Heat::TestResource, Hearth::Test::Scenario). Its objects are
 * in a store of their own, so that tests see a leaked object. It keeps tokens: a call that is
 * repeated with its token has one effect and gets the same answer.
 */
import type { JsonObject } from "#lib/json.ts";

export interface FakeObject {
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

export interface UpdateObject {
  readonly token: string;
  readonly physicalId: string;
  readonly properties: JsonObject;
  readonly waitMs: number;
}

export interface DeleteObject {
  readonly token: string;
  readonly physicalId: string;
  readonly waitMs: number;
}

export type FakeAnswer =
  | { readonly state: "done"; readonly physicalId: string }
  | { readonly state: "working"; readonly physicalId: string; readonly readyAt: number }
  | { readonly state: "missing" };

export interface FakeProvider {
  create(request: CreateObject): Promise<FakeAnswer>;
  update(request: UpdateObject): Promise<FakeAnswer>;
  /** Deleting a missing object succeeds. */
  delete(request: DeleteObject): Promise<FakeAnswer>;
  /** The progress of the call with this token. */
  poll(token: string): Promise<FakeAnswer>;
  list(): Promise<readonly FakeObject[]>;
}
