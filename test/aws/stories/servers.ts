import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  DescribeImagesCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeKeyPairsCommand,
  DescribeSecurityGroupsCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import { present } from "#lib/errors.ts";
import { connectionTo } from "../connection.ts";
import {
  create,
  ends,
  hot,
  outputs,
  REPAIR_MS_MAX,
  remove,
  rowNamed,
  type Story,
  update,
} from "../lane.ts";

const NAME = "lane-web";

const template = (image: string, port: number): object =>
  hot(
    {
      key: { type: "OS::Nova::KeyPair", properties: { name: NAME, save_private_key: true } },
      group: {
        type: "OS::Neutron::SecurityGroup",
        properties: {
          name: NAME,
          rules: [{ protocol: "tcp", port_range_min: port, port_range_max: port }],
        },
      },
      web: {
        type: "OS::Nova::Server",
        properties: {
          name: NAME,
          image,
          flavor: "small",
          key_name: { get_resource: "key" },
          security_groups: [{ get_resource: "group" }],
          user_data_format: "SOFTWARE_CONFIG",
          metadata: { port: String(port) },
        },
      },
    },
    { outputs: { address: { value: { get_attr: ["web", "first_address"] } } } },
  );

const openEc2World = (endpoint: string) => {
  const ec2 = new EC2Client(connectionTo(endpoint));
  const named = [{ Name: "tag:Name", Values: [NAME] }];
  return {
    image: async (): Promise<string> => {
      const { Images = [] } = await ec2.send(new DescribeImagesCommand({}));
      return present(Images[0]?.ImageId, "an image");
    },
    userData: async (InstanceId: string): Promise<string> => {
      const asked = { InstanceId, Attribute: "userData" } as const;
      const { UserData } = await ec2.send(new DescribeInstanceAttributeCommand(asked));
      return Buffer.from(UserData?.Value ?? "", "base64").toString();
    },
    instances: async () => {
      const state = { Name: "instance-state-name", Values: ["pending", "running", "stopped"] };
      const asked = new DescribeInstancesCommand({ Filters: [...named, state] });
      const { Reservations = [] } = await ec2.send(asked);
      return Reservations.flatMap(({ Instances = [] }) => Instances);
    },
    ports: async () => {
      const filters = [{ Name: "group-name", Values: [`${NAME}*`] }];
      const asked = new DescribeSecurityGroupsCommand({ Filters: filters });
      const { SecurityGroups = [] } = await ec2.send(asked);
      return SecurityGroups.flatMap(({ IpPermissions = [] }) =>
        IpPermissions.map(({ FromPort }) => FromPort),
      );
    },
    keys: async (): Promise<number> => {
      const { KeyPairs = [] } = await ec2.send(new DescribeKeyPairsCommand({}));
      return KeyPairs.filter(({ KeyName = "" }) => KeyName.startsWith(NAME)).length;
    },
    close: () => ec2.destroy(),
  };
};

export const servers: Story = {
  name: "a server, its key and its group are made, changed and deleted in EC2 under a project's role",
  needs: ["EC2"],
  play: async (lane) => {
    const world = openEc2World(lane.endpoint);
    const image = await world.image();
    const stack = await create(lane, "servers", template(image, 22));
    await ends(lane, stack, "CREATE_COMPLETE", REPAIR_MS_MAX);
    const [instance, ...others] = await world.instances();
    const { InstanceId: id = "", PrivateIpAddress } = present(instance, "the instance");
    equal(others.length, 0);
    deepEqual(await outputs(lane, stack), { address: PrivateIpAddress });
    deepEqual([await world.ports(), await world.keys()], [[22], 1]);
    match(await world.userData(id), /^#!\/bin\/sh\n[\s\S]*\/v1\/agent\/metadata\//);

    const before = (await rowNamed(lane, stack, "web"))?.physicalResourceId;
    await update(lane, stack, template(image, 443));
    await ends(lane, stack, "UPDATE_COMPLETE", REPAIR_MS_MAX);
    deepEqual(await world.ports(), [443]);
    equal((await rowNamed(lane, stack, "web"))?.physicalResourceId, before);
    const [changed] = await world.instances();
    equal(changed?.InstanceId, id, "the server was replaced");
    ok(changed?.Tags?.some(({ Key, Value }) => Key === "port" && Value === "443"));

    await remove(lane, stack, REPAIR_MS_MAX);
    deepEqual([await world.instances(), await world.ports(), await world.keys()], [[], [], 0]);
    world.close();
  },
};
