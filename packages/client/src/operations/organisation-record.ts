import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type { NextPage } from '../pages.ts';
import type {
  FoundOrganisation,
  OrganisationRecord,
  RecordChange,
  RecordHistory,
  RecordHistoryQuery,
  RecordQuery,
} from '../types.ts';
import { get, pathOf } from './ask.ts';
import { getWithPage, type PageOf } from './page.ts';

export type OrganisationRecordPage = {
  /** The record explained, with one page of its reviews and of those of the standing record. */
  record: OrganisationRecord;
  /** Number of reviews in all pages. */
  total: number | null;
  /** The query of the next page; null after the last one. */
  next: NextPage<RecordQuery>;
};

export type RecordHistoryPage = PageOf<'history', RecordHistoryQuery, RecordChange>;

const scope = ['organisation'] as const;

/** How far organisations answer for their agents, under a trust policy of formula v2. */
export function organisationRecordOperations(transport: Transport) {
  return {
    /** The organisation of a name, whatever its case. */
    findOrganisation: (orgName: string, options: RequestOptions = {}): Promise<FoundOrganisation> =>
      get(transport, { ...pathOf('/organisation'), query: { org_name: orgName }, credentials: scope }, options),

    /** The parts of an organisation's record, now or as of a time or a log position, its vouchers, and a page of the reviews, newest first. */
    organisationRecord: async (
      orgId: string,
      query: RecordQuery = {},
      options: RequestOptions = {},
    ): Promise<OrganisationRecordPage> => {
      const operation = { ...pathOf('/organisation/{org_id}/record', orgId), credentials: scope };
      const { body, ...page } = await getWithPage<OrganisationRecord, RecordQuery>(
        transport,
        operation,
        query,
        options,
      );
      return { record: body, ...page };
    },

    /** One page of the changes of an organisation's record, oldest first, each with the event that caused it. */
    organisationRecordHistory: async (
      orgId: string,
      query: RecordHistoryQuery = {},
      options: RequestOptions = {},
    ): Promise<RecordHistoryPage> => {
      const operation = { ...pathOf('/organisation/{org_id}/record/history', orgId), credentials: scope };
      const { body, ...page } = await getWithPage<RecordHistory, RecordHistoryQuery>(
        transport,
        operation,
        query,
        options,
      );
      return { history: body.history, ...page };
    },
  };
}
