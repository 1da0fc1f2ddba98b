/**
 * The marks by which Hearth finds its objects in clouds. They depend only on the operation's token
 * and on names, so no rotation, move or clock changes them. Every version must keep them, because
 * an upgrade must find the objects of the former version.
 */
import { describe, expect, it } from "vitest";
import { clientTokenOf } from "#providers/cloud-control/types/own-tag.ts";
import { labelsFor } from "#providers/docker/objects.ts";
import { tagsFor } from "#providers/ec2/tags.ts";
import { idOf } from "#providers/object-names.ts";
import { METADATA, marked, markInTag, markOf, tagOf } from "#providers/openstack/marks.ts";
import { callOf } from "../../contract/provider-call.ts";

const CALL = callOf("token-1");
const ID = "3f08aace-122e-e236-8432-c1ca23a049bc";
const DIGEST = "3f08aace122ee2368432c1ca23a049bc640bafbf00fdf33a52429f38ba12dbf9";

describe("the marks of an object", () => {
  it("are in Docker its labels", () => {
    expect(labelsFor(CALL, "net", ID, "front")).toEqual({
      "hearth.tenant": "demo",
      "hearth.stack": "stack-1",
      "hearth.stack_name": "app",
      "hearth.resource": "thing",
      "hearth.token": "token-1",
      "hearth.kind": "net",
      "hearth.id": ID,
      "hearth.name": "front",
    });
  });

  it("are in OpenStack a text of the token, in a tag, a description or the metadata", () => {
    const mark = markOf(CALL);
    expect(mark).toBe(ID);
    expect(idOf("token-1")).toBe(ID);
    expect(tagOf(mark)).toBe(`hearth-${ID}`);
    expect(markInTag(`hearth-${ID}`)).toBe(ID);
    expect(marked("front", mark)).toBe(`front [hearth:${ID}]`);
    expect([METADATA.id, METADATA.stack, METADATA.resource]).toEqual([
      "hearth_id",
      "hearth_stack",
      "hearth_resource",
    ]);
  });

  it("are in EC2 its tags, and the ClientToken of its creation", () => {
    expect(clientTokenOf("token-1")).toBe(DIGEST);
    const tags = tagsFor(CALL, "front").map(({ Key, Value }) => [Key, Value]);
    expect(Object.fromEntries(tags)).toEqual({
      Name: "front",
      "hearth:tenant": "demo",
      "hearth:stack": "stack-1",
      "hearth:stack_name": "app",
      "hearth:resource": "thing",
      "hearth:operation": DIGEST,
    });
  });
});
