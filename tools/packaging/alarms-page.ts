import { alarmList, pointOf } from "../../infra/alarm-texts.ts";
import { block, code, GENERATED, type Page, page, sentence, table } from "./reference/markdown.ts";
import { fromReference } from "./reference-links.ts";

export const alarmsPage = (): Page => ({
  name: "alarms.md",
  text: page([
    ...block("# Alarms on AWS"),
    ...block(...GENERATED),
    ...block(
      "CloudWatch has an alarm for each symptom. The setting [`alarmTopicArn`](settings.md) says who hears of it.",
      "[Operations](../operations.md#the-dashboard-and-the-alarms) has the dashboard, the metrics, and how to read one stack's story.",
      "[A test](../../test/contract/alarms.test.ts) makes the cause of each alarm in a stage that runs in one process, and shows that it goes off. So do conditions that look like a cause, and set off none.",
      "Errors that users see stand under [symptoms](../symptoms.md).",
    ),
    ...table(
      ["alarm", "goes off at", "means", "do"],
      alarmList().map((alarm) => [
        code(alarm.name),
        pointOf(alarm),
        sentence(`${alarm.means.charAt(0).toUpperCase()}${alarm.means.slice(1)}`),
        fromReference(alarm.remedy),
      ]),
    ),
  ]),
});
