import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { Construct } from "constructs";
import type { Settings } from "./settings.ts";

const PER_CENT = 100;

export const addBudget = (scope: Construct, settings: Settings): void => {
  const { dailyBudget, alarmTopicArn, emulator } = settings;
  if (dailyBudget === undefined || alarmTopicArn === undefined || emulator) return;
  new CfnBudget(scope, "Budget", {
    budget: {
      budgetType: "COST",
      timeUnit: "DAILY",
      budgetLimit: { amount: dailyBudget, unit: "USD" },
    },
    notificationsWithSubscribers: [
      {
        notification: {
          notificationType: "ACTUAL",
          comparisonOperator: "GREATER_THAN",
          threshold: PER_CENT,
        },
        subscribers: [{ subscriptionType: "SNS", address: alarmTopicArn }],
      },
    ],
  });
};
