import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { swiftSignal } from "./swift-signal.ts";
import { swiftSignalHandle } from "./swift-signal-handle.ts";
import { awsWaitCondition, waitCondition } from "./wait-condition.ts";
import {
  awsWaitConditionHandle,
  updateWaitConditionHandle,
  waitConditionHandle,
} from "./wait-condition-handle.ts";

export const waitTypes = (engine: Ports): readonly ResourceType[] => [
  waitConditionHandle(engine),
  updateWaitConditionHandle(engine),
  awsWaitConditionHandle(engine),
  waitCondition(engine),
  awsWaitCondition(engine),
  swiftSignalHandle(engine),
  swiftSignal(engine),
];
