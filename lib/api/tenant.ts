/** A tenant is part of every key. OpenStack's project ids and names have these characters. */
export const TENANT = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,254}$/;
