import { expect, it } from "vitest";
import { storageCircuit } from "#lib/adapters/sqlite/storage-circuit.ts";
import { RetryLater } from "#lib/errors.ts";

const DISK_ERROR = 10;
const DAMAGED = 11;
const failing = (errcode: number) => (): never => {
  throw Object.assign(new Error("database disk image is malformed"), { errcode });
};

it("a page that cannot be read while the disk fails is no damage once it can be read", () => {
  const circuit = storageCircuit("hearth.db");
  expect(() => circuit.guard(failing(DISK_ERROR))).toThrow(RetryLater);
  circuit.probe(failing(DAMAGED));
  expect(circuit.fault()).toContain("malformed");
  expect(circuit.isOpen()).toBe(true);
  circuit.probe(() => undefined);
  expect(circuit.fault()).toBeNull();
});

it("a damaged page that a call meets is told until the file is opened anew", () => {
  const circuit = storageCircuit("hearth.db");
  expect(() => circuit.guard(failing(DAMAGED))).toThrow("malformed");
  expect(circuit.isOpen()).toBe(false);
  expect(circuit.fault()).toBe("hearth.db is damaged");
});
