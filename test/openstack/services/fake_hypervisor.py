"""Nova's fake hypervisor, which forgets the interfaces of a server that is removed.

Nova's own keeps them, so a port of a removed server could never be attached to another one.
"""

from nova.virt import fake


class FakeDriver(fake.FakeDriver):
    def destroy(self, context, instance, network_info, *words, **options):
        for vif in network_info or []:
            self._interfaces.pop(vif["id"], None)
        return super().destroy(context, instance, network_info, *words, **options)
