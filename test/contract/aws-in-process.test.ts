import { openInProcessTarget } from "#test/aws/in-process/target.ts";
import { awsContract } from "./aws.contract.ts";
import { ownTarget } from "./own-target.ts";
import { randomWritesOnAws } from "./random-writes-on-aws.ts";

const target = ownTarget(openInProcessTarget);

awsContract("in-process AWS", target);
randomWritesOnAws("in-process AWS", target);
