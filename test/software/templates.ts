/**
 * The software templates of openstack/heat-templates: how each is played, or why it cannot be. They
 * are all HOT files with a type OS::Heat::Software… or OS::Heat::Structured…, and equal files count
 * once.
 */
export interface Played {
  readonly file: string;
  /** The template of the stack, if `file` is only nested in it. */
  readonly root?: string;
  readonly environments?: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, string>>;
  /**
   * By resource, a script that the owner of the machine has run there as root. PORT is a free port,
   * and MACHINES are the names of the stack's machines.
   */
  readonly servers: Readonly<Record<string, string>>;
  readonly needs?: readonly string[];
  readonly userData?: string;
  /** Set if the deployments also run at suspend and resume. */
  readonly isSuspended?: true;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly outputsAfterChange?: Readonly<Record<string, string>>;
  readonly outputsAfterResume?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly filesAfterChange?: Readonly<Record<string, string>>;
  readonly hooks: number;
}

export interface Unplayed {
  readonly file: string;
  readonly tool: string;
  readonly why: string;
}

const EXAMPLES = "hot/software-config/example-templates";
const BOOT = "hot/software-config/boot-config";
const WINDOWS = "hot/Windows";
const OPENSHIFT = "openshift-origin/F19/hot-template";

const CLOUD = { key_name: "operator", flavor: "m1.small", image: "debian-12" } as const;
const NTP = { ...CLOUD, ntp_server: "192.0.2.123" } as const;
const NETS = { ...CLOUD, private_net: "private", public_net: "public" } as const;
const ONE = { server: "" } as const;

const SCRIPT_OUTPUTS = {
  result: "^The file /tmp/baaaaa contains fooooo for server [0-9a-f-]{36} during CREATE$",
  other_result: "^The file /tmp/barmy contains fu for server [0-9a-f-]{36} during CREATE$",
  status_code: "^0$",
  stdout: "^Writing to /tmp/baaaaa\nWritten to /tmp/baaaaa",
  stderr: "Output to stderr",
} as const;
const SCRIPT_RESUMED = {
  result: "during CREATE$",
  other_result: "^The file /tmp/barmy contains fu .* during RESUME$",
} as const;

const NTP_TEMPLATE = `mkdir -p /usr/libexec/os-apply-config/templates/etc
cat > /usr/libexec/os-apply-config/templates/etc/ntp.conf <<'END'
{{#ntp.servers}}
server {{server}}
{{/ntp.servers}}
END`;

const SSH_USER = `useradd -m -p '*' -s /bin/bash ec2-user
install -d -o ec2-user -g ec2-user -m 700 /home/ec2-user/.ssh`;
const SSH_SERVER = `${SSH_USER}
mkdir -p /run/sshd
ssh-keygen -A
/usr/sbin/sshd -o UsePAM=no -o "ListenAddress=127.0.0.1:$PORT"`;
const SSH_CLIENT = `${SSH_USER}
printf 'Host *\n  Port %s\n' "$PORT" > /etc/ssh/ssh_config.d/port.conf
for name in $MACHINES; do echo "127.0.0.1 $name" >> /etc/hosts; done`;

/** The machine runs the agents already, so the boot script of a boot configuration is ignored. */
const bootConfig = (template: string, environment: string): Played => ({
  file: `${BOOT}/templates/${template}.yaml`,
  root: `${EXAMPLES}/example-config-pristine-image.yaml`,
  environments: [`${BOOT}/${environment}_env.yaml`],
  parameters: NETS,
  servers: ONE,
  outputs: SCRIPT_OUTPUTS,
  hooks: 2,
});

export const PLAYED: readonly Played[] = [
  bootConfig("install_config_agent_centos7_rdo", "centos7_rdo"),
  bootConfig("install_config_agent_fedora_pip", "fedora_pip"),
  bootConfig("install_config_agent_fedora_yum", "fedora_yum"),
  bootConfig("install_config_agent_test_image", "test_image"),
  bootConfig("install_config_agent_ubuntu_pip", "ubuntu_pip"),
  bootConfig("install_container_agent", "container_agent"),
  {
    file: `${EXAMPLES}/cirros-example/cirros-hello-world.yaml`,
    parameters: CLOUD,
    servers: ONE,
    outputs: { deploy_output: "^Hello, world!$" },
    files: { "/hello": "^Hello, world!$" },
    hooks: 1,
  },
  {
    file: `${EXAMPLES}/example-ansible-template.yaml`,
    parameters: CLOUD,
    servers: ONE,
    needs: ["ansible-playbook"],
    isSuspended: true,
    outputs: {
      result: "^The file /tmp/baaaaa contains fooooo$",
      other_result: "^The file /tmp/barmy contains fu$",
      status_code: "^0$",
    },
    outputsAfterResume: { other_result: "^The file /tmp/barmy contains fu$" },
    files: { "/tmp/baaaaa": "^fooooo$", "/tmp/barmy": "^fu$" },
    hooks: 2,
  },
  {
    file: `${EXAMPLES}/example-cfn-init-template.yaml`,
    parameters: CLOUD,
    servers: ONE,
    needs: ["cfn-init"],
    isSuspended: true,
    outputs: { result: "^The file /tmp/foo contains barmy for server .* during CREATE$" },
    files: { "/tmp/foo": "^barmy$" },
    hooks: 3,
  },
  {
    file: `${EXAMPLES}/example-cloud-init.yaml`,
    parameters: CLOUD,
    servers: ONE,
    needs: ["cloud-init"],
    userData: "server_init",
    files: {
      "/tmp/one": "^The one is bar$",
      "/tmp/two": "^The two is bar$",
      "/tmp/three": "^The three is bar$",
      "/tmp/four": "^The four is bar$",
      "/tmp/five": "^The five is bar$",
    },
    hooks: 0,
  },
  {
    file: `${EXAMPLES}/example-config-pristine-image.yaml`,
    environments: [`${EXAMPLES}/example-config-pristine-image_env.yaml`],
    parameters: NETS,
    servers: ONE,
    isSuspended: true,
    outputs: SCRIPT_OUTPUTS,
    outputsAfterResume: SCRIPT_RESUMED,
    hooks: 2,
  },
  {
    file: `${EXAMPLES}/example-deploy-sequence.yaml`,
    parameters: CLOUD,
    servers: { server_a: "", server_b: "" },
    outputs: {},
    hooks: 3,
  },
  {
    file: `${EXAMPLES}/example-os-apply-config-plus-cloud-config.yaml`,
    parameters: NTP,
    change: { ntp_server: "192.0.2.124" },
    servers: { server: NTP_TEMPLATE },
    needs: ["cloud-init", "jq", "curl"],
    userData: "cloud_init_userdata",
    outputs: { deployment_status: "^0$", deployment_stdout: "completed$" },
    files: { "/etc/ntp.conf": "^server 192.0.2.123$", "/tmp/one": "^The one is bar$" },
    filesAfterChange: { "/etc/ntp.conf": "^server 192.0.2.124$" },
    hooks: 0,
  },
  {
    file: `${EXAMPLES}/example-os-apply-config.yaml`,
    parameters: NTP,
    change: { ntp_server: "192.0.2.124" },
    servers: { server: NTP_TEMPLATE },
    needs: ["jq", "curl"],
    outputs: { deployment_status: "^0$", deployment_stdout: "completed$" },
    files: { "/etc/ntp.conf": "^server 192.0.2.123$" },
    filesAfterChange: { "/etc/ntp.conf": "^server 192.0.2.124$" },
    hooks: 0,
  },
  {
    file: `${EXAMPLES}/example-puppet-template.yaml`,
    parameters: CLOUD,
    servers: ONE,
    needs: ["puppet"],
    outputs: {
      result: "^The file /tmp/baaaaa contains fooooo$",
      other_result: "^The file /tmp/barmy contains fu$",
    },
    files: { "/tmp/baaaaa": "^fooooo$", "/tmp/barmy": "^fu$" },
    hooks: 2,
  },
  {
    file: `${EXAMPLES}/example-script-template.yaml`,
    parameters: CLOUD,
    servers: ONE,
    isSuspended: true,
    outputs: SCRIPT_OUTPUTS,
    outputsAfterResume: SCRIPT_RESUMED,
    hooks: 2,
  },
  {
    file: `${EXAMPLES}/example-software-deploymentgroup-template.yaml`,
    parameters: {
      key_name: "operator",
      flavor: "m1.small",
      ubuntu_image: "ubuntu-24.04",
      fedora_image: "fedora-42",
      network: "private",
    },
    servers: { server_ubuntu: "", server_fedora: "" },
    needs: ["ansible-playbook"],
    hooks: 2,
  },
  {
    file: `${EXAMPLES}/example-ssh-copy-id.yaml`,
    parameters: { ...CLOUD, private_net: "private" },
    servers: { server_a: SSH_SERVER, server_b: SSH_CLIENT },
    needs: ["/usr/sbin/sshd", "ssh"],
    outputs: { do_key_test_stdout: "-server-a$" },
    hooks: 3,
  },
  {
    file: `${EXAMPLES}/example-structured-template.yaml`,
    parameters: CLOUD,
    servers: {
      server: `mkdir -p /usr/libexec/os-apply-config/templates/etc
echo '{{config_value_foo}} {{config_value_bar}}' > /usr/libexec/os-apply-config/templates/etc/values`,
    },
    outputs: { server_ip: "^192\\.0\\.2\\.1$" },
    files: { "/etc/values": "^(fooooo baaaaa|fu barmy)$" },
    hooks: 0,
  },
  {
    file: `${EXAMPLES}/example-sw-component-template.yaml`,
    parameters: CLOUD,
    servers: ONE,
    isSuspended: true,
    outputs: { sw_component_last_action: "^CREATE$" },
    outputsAfterResume: { sw_component_last_action: "^RESUME$" },
    files: { "/tmp/sw-component-actions": "^CREATE invoked at " },
    hooks: 1,
  },
];

const unplayed = (tool: string, why: string, files: readonly string[]): readonly Unplayed[] =>
  files.map((file) => ({ file, tool, why }));

export const UNPLAYED: readonly Unplayed[] = [
  ...unplayed("atomic", "Project Atomic's command is in no registry", [
    `${EXAMPLES}/example-pristine-atomic-tool.yaml`,
  ]),
  ...unplayed("Chef", "Heat refuses it: its config is a list, and must be a map", [
    `${EXAMPLES}/example-chef-template.yaml`,
  ]),
  ...unplayed("images of containers", "no package registry has redis, nginx or busybox as images", [
    `${EXAMPLES}/example-docker-compose-template.yaml`,
    `${EXAMPLES}/example-pristine-atomic-docker-compose.yaml`,
  ]),
  ...unplayed("kubelet", "the hook waits for a kubelet of 2014, and for its images", [
    `${EXAMPLES}/example-kubelet-template.yaml`,
  ]),
  ...unplayed("Salt on RedHat", "on Debian its state reads an input that it does not have", [
    `${EXAMPLES}/example-salt-template.yaml`,
  ]),
  ...unplayed("yum", "its scripts install packages of Fedora", [
    `${EXAMPLES}/wordpress/WordPress_software-config_1-instance.yaml`,
    `${EXAMPLES}/wordpress/WordPress_software-config_2-instances.yaml`,
    `${OPENSHIFT}/openshift-scalable-cpu-nbgears/nodeinstance.yaml`,
    `${OPENSHIFT}/openshift-scalable-cpu-nbgears/openshift.yaml`,
    `${OPENSHIFT}/openshift-scalable-cpu/openshift.yaml`,
    `${OPENSHIFT}/openshift-scalable-nbgears/nodeinstance.yaml`,
    `${OPENSHIFT}/openshift-scalable-nbgears/openshift.yaml`,
    `${OPENSHIFT}/openshift/openshift.yaml`,
  ]),
  ...unplayed("Windows", "cloudbase-init and PowerShell run it", [
    `${WINDOWS}/ActiveDirectoryController/ActiveDirectoryDomainController.yaml`,
    `${WINDOWS}/IIS_Drupal/IIS_Drupal.yaml`,
    `${WINDOWS}/MSSQLServer/MSSQL.yaml`,
    `${WINDOWS}/PuppetAgent/puppet-agent.yaml`,
  ]),
];
