import { expect, it } from "vitest";
import { aCall, aRow, call, world } from "../world.ts";

it("names the type that nothing makes, and what to use instead", async () => {
  const at = world();
  const row = aRow("AWS::EC2::Instance", "member");
  const made = await call(
    at,
    row,
    await aCall(at, row, "CREATE", { ImageId: "i", InstanceType: "t" }),
  );
  expect(made).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("member: No provider makes AWS::EC2::Instance here. Machines"),
  });
});
