import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware as secondMiddleware, x402ResourceServer } from '@x402/express';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { paymentMiddleware as firstMiddleware } from 'x402-express';
import { endpointMark, hideHost } from '../ask.ts';
import type { Facilitator } from './facilitator.ts';
import { networks } from './facilitator.ts';

export const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const path = `/${endpointMark}/forecast`;
/** In US dollars, and in atomic units of USDC. */
export const price = { text: '$0.0123', units: 0.0123, atomic: '12300' };

export type Seller = {
  /** The endpoint to register. */
  url: string;
  /** Requests that reached the paid resource, in order. */
  served: { method: string; headers: Request['headers']; body: string; query: string }[];
  /** The answer of the paid resource; by default it echoes the request as JSON. */
  respond: (request: Request, response: Response, body: string) => void;
  stop: () => void;
};

const startSeller = async (charge: RequestHandler): Promise<Seller> => {
  const app: Express = express();
  const seller: Seller = {
    url: '',
    served: [],
    respond: (request, response, body) => void response.json({ forecast: 'sun', method: request.method, body }),
    stop: () => {},
  };
  app.use(charge);
  app.use((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method, headers, originalUrl } = request;
      seller.served.push({ method, headers, body, query: originalUrl.split('?')[1] ?? '' });
      seller.respond(request, response, body);
    });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  seller.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  seller.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  hideHost(seller.url);
  return seller;
};

/** A seller of x402 v1: the reference's own middleware for express. */
export function startFirstSeller({ url }: Facilitator): Promise<Seller> {
  const charge = { price: price.text, network: networks[1] };
  const routes = { [`GET ${path}`]: charge, [`POST ${path}`]: charge };
  return startSeller(firstMiddleware(payTo, routes, { url: url as `http://${string}` }) as unknown as RequestHandler);
}

/** A seller of x402 v2. */
export function startSecondSeller({ url }: Facilitator): Promise<Seller> {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url })).register(networks[2], new ExactEvmScheme());
  const accepts = { scheme: 'exact', price: price.text, network: networks[2], payTo };
  const charge = { accepts, description: 'A forecast', mimeType: 'application/json' };
  return startSeller(secondMiddleware({ [`GET ${path}`]: charge, [`POST ${path}`]: charge }, server));
}
