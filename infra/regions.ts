/** Regions without `AWS::Lambda::Url` in CloudFormation, by cfn-lint's schemas. */
const WITHOUT_FUNCTION_URLS: ReadonlySet<string> = new Set([
  "ap-east-2",
  "ap-south-2",
  "ap-southeast-4",
  "ap-southeast-5",
  "ap-southeast-6",
  "ap-southeast-7",
  "ca-west-1",
  "cn-northwest-1",
  "eu-central-2",
  "eu-south-2",
  "il-central-1",
  "me-central-1",
  "mx-central-1",
  "us-gov-east-1",
  "us-gov-west-1",
]);

export const hasFunctionUrls = (region: string): boolean => !WITHOUT_FUNCTION_URLS.has(region);

/** Regions without `AWS::Budgets::Budget` in CloudFormation, by the same schemas. */
const WITHOUT_BUDGETS: ReadonlySet<string> = new Set([
  ...[...WITHOUT_FUNCTION_URLS].filter((region) => region !== "cn-northwest-1"),
  "af-south-1",
  "ap-east-1",
  "ap-northeast-3",
  "ap-southeast-3",
  "eu-north-1",
  "eu-south-1",
]);

export const hasBudgets = (region: string): boolean => !WITHOUT_BUDGETS.has(region);
