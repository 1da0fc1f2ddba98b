import type { Change } from "#lib/model/change.ts";
import type { StackEvent } from "#lib/model/event.ts";
import { timeOfChange } from "#lib/model/event-time.ts";
import type { Ids } from "#lib/ports/ids.ts";
import { resourceEvent, stackEvents } from "./project-events.ts";

export const eventsOfChange = (ids: Ids, change: Change, fedAt: number): readonly StackEvent[] => {
  if (change.table === "resources") {
    const { oldImage, newImage } = change;
    // A signal does not update the row's time.
    const isUpdated = newImage.updatedAt !== oldImage?.updatedAt;
    const time = timeOfChange(fedAt, isUpdated ? newImage.updatedAt : null);
    const event = resourceEvent(ids, { oldImage, newImage, time });
    return event ? [event] : [];
  }
  const { oldImage, newImage } = change;
  const isBeginning = oldImage?.traversalId !== newImage.traversalId;
  const begunAt = newImage.updatedAt ?? newImage.createdAt;
  const time = timeOfChange(fedAt, isBeginning ? begunAt : newImage.endedAt);
  return stackEvents(ids, { oldImage, newImage, time });
};
