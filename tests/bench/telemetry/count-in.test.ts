import { expect, it } from 'vitest';
import { countIn } from './count-in.ts';

const text = [
  '# TYPE http_server_request_duration_seconds histogram',
  'http_server_request_duration_seconds_count{http_route="/verify",http_response_status_code="200"} 7',
  'http_server_request_duration_seconds_bucket{http_route="/verify",http_response_status_code="200",le="0.001"} 5',
  'http_server_request_duration_seconds_count{http_route="/verify",http_response_status_code="404"} 2',
  'http_server_request_duration_seconds_count{http_route="/call",http_response_status_code="200"} 3',
  'other_http_server_request_duration_seconds_count{http_route="/verify"} 9',
].join('\n');

it('sums up the series of one metric that have the label, and no others', () => {
  expect(countIn(text, 'http_server_request_duration_seconds', 'http_route="/verify"')).toBe(9);
  expect(countIn(text, 'http_server_request_duration_seconds', 'http_route="/match"')).toBe(0);
});
