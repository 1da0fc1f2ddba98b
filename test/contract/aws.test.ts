import { awsContract } from "./aws.contract.ts";
import { ownTarget } from "./own-target.ts";

awsContract("AWS", ownTarget());
