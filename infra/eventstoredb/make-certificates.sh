#!/bin/sh
# Makes an authority and a certificate for the node of docker-compose.production.yml, in infra/eventstoredb/certificates. Valid for five years. For a
# cluster, name each node: sh infra/eventstoredb/make-certificates.sh node-1.example node-2.example. Needs openssl.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p certificates/roots
cd certificates
[ ! -e ca.key ] || { echo 'There are certificates already; move infra/eventstoredb/certificates away first.' >&2; exit 1; }
[ $# -gt 0 ] || set -- eventstoredb
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1825 -subj '/CN=Agent Trust Registry event log' -keyout ca.key -out ca.crt 2>/dev/null
# One certificate for all: nodes of a cluster must have the same common name, and clients ask for the names behind it.
names=$(printf 'DNS:%s,' "$@")
printf 'subjectAltName=%sDNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' "$names" > names
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=eventstoredb-node' -keyout node.key -out node.csr 2>/dev/null
openssl x509 -req -in node.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 1825 -extfile names -out node.crt 2>/dev/null
cp ca.crt roots/ca.crt
rm names node.csr ca.srl
# The server runs as another user, and reads its own key alone.
chmod 0755 . roots
chmod 0644 ca.crt roots/ca.crt node.crt node.key
echo 'Keep ca.key where nothing of the registry runs. Node certificate for:' "$@"
