"""A cloud for Heat's plugins. Every service and every name is there, and a name is its own ID."""
from heat.common import exception
from heat.engine import clients
from heat.engine import resource
from heat.engine import resources
from heat.engine import stk_defn
from heat.engine.clients.os import trove

# Heat checks them without a cloud, so they keep their own answers.
OFFLINE_CONSTRAINTS = {
    "allowed_address_pair",
    "cron_expression",
    "dns_domain",
    "dns_name",
    "expiration",
    "ip_addr",
    "ip_or_cidr",
    "iso_8601",
    "json_string",
    "mac_addr",
    "net_cidr",
    "rel_dns_name",
    "test_constr",
    "timezone",
}
# From these versions on, Nova refuses what older templates have. Hearth does not.
REMOVING_VERSIONS = {"2.57", "2.92"}
UNLIMITED = -1


class Thing(list):
    """What a service answers: an empty list with any member, equal to everything."""

    def __getattr__(self, name):
        return self

    def __call__(self, *given, **named):
        return self

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


class Plugin:
    """Finds everything that it is asked for."""

    def __getattr__(self, name):
        if name.startswith("RES_TYPE_"):
            return name
        return lambda *given, **named: [*given, *named.values(), True][max(0, len(given) - 1)]

    def client(self, *given, **named):
        return Thing()

    def is_version_supported(self, version):
        return version not in REMOVING_VERSIONS

    def absolute_limits(self):
        names = ("maxServerMeta", "maxPersonality", "maxPersonalitySize")
        return dict.fromkeys(names, UNLIMITED)

    def network_id_from_subnet_id(self, subnet):
        return Thing()

    def get_image(self, image):
        """Then Heat compares no sizes of images and flavors."""
        raise exception.EntityNotFound(entity="Image", name=image)

    def is_not_found(self, error):
        return isinstance(error, exception.EntityNotFound)

    def validate_datastore(self, datastore, *others):
        """Every version of a datastore is there. Without a datastore, Heat asks no cloud."""
        if not datastore:
            trove.TroveClientPlugin.validate_datastore(self, datastore, *others)


def open_cloud():
    plugin = Plugin()
    clients.OpenStackClients.client_plugin = lambda self, name: plugin
    clients.OpenStackClients.client = lambda self, name, version=None: plugin.client()
    resource.Resource.is_service_available = classmethod(lambda cls, cnxt: (True, None))
    resource.Resource.validate_external = lambda self: None
    stk_defn.StackDefinition.get_availability_zones = lambda self: ["nova"]
    for name, cls in resources.global_env().constraints.items():
        if name not in OFFLINE_CONSTRAINTS:
            cls.validate = lambda self, value, cnxt: True
