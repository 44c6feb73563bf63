import { expect, it } from 'vitest';
import { addressOf } from './address-of.ts';

it.each([
  ['nats://gateway:s3cret@nats.internal', 'nats.internal:4222'],
  ['nats://u:s3cret@a:4223,nats://b', 'a:4223, b:4222'],
  ['postgres://u:s3cret@db.internal/registry?sslmode=require', 'db.internal:5432'],
  ['postgresql://u:s3cret@[::1]:6432/x', '[::1]:6432'],
  ['postgres://u:s3cret@[::1]/x', '[::1]:5432'],
  ['esdb://admin:s3cret@n1:2113,n2,n3:2115?tls=true', 'n1:2113, n2:2113, n3:2115'],
  ['esdb+discover://admin:s3cret@cluster.internal', 'cluster.internal:2113'],
  ['kurrentdb://cluster.internal:2113?tls=false', 'cluster.internal:2113'],
  ['wss://u:s3cret@nats.example', 'nats.example:443'],
  // A password that should have been encoded still does not show.
  ['nats://u:s3c@ret@host:4222', 'host:4222'],
])('names the servers of %s without what is secret', (url, address) => {
  expect(addressOf(url)).toBe(address);
});
