import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { awsCloudwatchAlarm } from "./cloudwatch-alarm.ts";
import { awsEc2Eip } from "./ec2-eip.ts";
import { awsEc2EipAssociation } from "./ec2-eip-association.ts";
import { awsEc2Instance } from "./ec2-instance.ts";
import { awsEc2InternetGateway } from "./ec2-internet-gateway.ts";
import { awsEc2NetworkInterface } from "./ec2-network-interface.ts";
import { awsEc2RouteTable } from "./ec2-route-table.ts";
import { awsEc2SecurityGroup } from "./ec2-security-group.ts";
import { awsEc2Subnet } from "./ec2-subnet.ts";
import { awsEc2SubnetRouteTableAssociation } from "./ec2-subnet-route-table-association.ts";
import { awsEc2Volume } from "./ec2-volume.ts";
import { awsEc2VolumeAttachment } from "./ec2-volume-attachment.ts";
import { awsEc2Vpc } from "./ec2-vpc.ts";
import { awsEc2VpcGatewayAttachment } from "./ec2-vpc-gateway-attachment.ts";
import { awsElbLoadBalancer } from "./elb-load-balancer.ts";
import { awsIamAccessKey } from "./iam-access-key.ts";
import { awsIamUser } from "./iam-user.ts";
import { awsRdsDbInstance } from "./rds-db-instance.ts";
import { awsS3Bucket } from "./s3-bucket.ts";

export const AWS_TYPES: readonly DeclaredType[] = [
  awsCloudwatchAlarm,
  awsEc2Eip,
  awsEc2EipAssociation,
  awsEc2Instance,
  awsEc2InternetGateway,
  awsEc2NetworkInterface,
  awsEc2RouteTable,
  awsEc2SecurityGroup,
  awsEc2Subnet,
  awsEc2SubnetRouteTableAssociation,
  awsEc2Vpc,
  awsEc2VpcGatewayAttachment,
  awsEc2Volume,
  awsEc2VolumeAttachment,
  awsElbLoadBalancer,
  awsIamAccessKey,
  awsIamUser,
  awsRdsDbInstance,
  awsS3Bucket,
];
