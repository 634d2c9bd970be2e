"""The columns of the 41 tables of MIMIC-IV 3.1, MIMIC-IV-ED 2.2 and MIMIC-IV-Note 2.2, in file order.

One entry a table: ``module.table: (declared key, columns)``; a column is ``name:type``, where the type is i (integer),
f (real), t (timestamp), d (date) or s (text), and ``*`` marks NOT NULL. Source: the MIT-LCP build scripts.
"""

TABLE_COLUMNS: dict[str, tuple[str, str]] = {
    "hosp.admissions": (
        "hadm_id",
        "subject_id:i* hadm_id:i* admittime:t* dischtime:t deathtime:t admission_type:s* admit_provider_id:s "
        "admission_location:s discharge_location:s insurance:s language:s marital_status:s race:s edregtime:t "
        "edouttime:t hospital_expire_flag:i",
    ),
    "hosp.d_hcpcs": (
        "code",
        "code:s* category:i long_description:s short_description:s",
    ),
    "hosp.d_icd_diagnoses": (
        "icd_code icd_version",
        "icd_code:s* icd_version:i* long_title:s",
    ),
    "hosp.d_icd_procedures": (
        "icd_code icd_version",
        "icd_code:s* icd_version:i* long_title:s",
    ),
    "hosp.d_labitems": (
        "itemid",
        "itemid:i* label:s fluid:s category:s",
    ),
    "hosp.diagnoses_icd": (
        "hadm_id seq_num icd_code icd_version",
        "subject_id:i* hadm_id:i* seq_num:i* icd_code:s icd_version:i",
    ),
    "hosp.drgcodes": (
        "",
        "subject_id:i* hadm_id:i* drg_type:s drg_code:s* description:s drg_severity:i drg_mortality:i",
    ),
    "hosp.emar": (
        "emar_id",
        "subject_id:i* hadm_id:i emar_id:s* emar_seq:i* poe_id:s* pharmacy_id:i enter_provider_id:s "
        "charttime:t* medication:s event_txt:s scheduletime:t storetime:t*",
    ),
    "hosp.emar_detail": (
        "",
        "subject_id:i* emar_id:s* emar_seq:i* parent_field_ordinal:s administration_type:s pharmacy_id:i "
        "barcode_type:s reason_for_no_barcode:s complete_dose_not_given:s dose_due:s dose_due_unit:s "
        "dose_given:s dose_given_unit:s will_remainder_of_dose_be_given:s product_amount_given:s "
        "product_unit:s product_code:s product_description:s product_description_other:s "
        "prior_infusion_rate:s infusion_rate:s infusion_rate_adjustment:s infusion_rate_adjustment_amount:s "
        "infusion_rate_unit:s route:s infusion_complete:s completion_interval:s new_iv_bag_hung:s "
        "continued_infusion_in_other_location:s restart_interval:s side:s site:s "
        "non_formulary_visual_verification:s",
    ),
    "hosp.hcpcsevents": (
        "hadm_id hcpcs_cd seq_num",
        "subject_id:i* hadm_id:i* chartdate:d hcpcs_cd:s* seq_num:i* short_description:s",
    ),
    "hosp.labevents": (
        "labevent_id",
        "labevent_id:i* subject_id:i* hadm_id:i specimen_id:i* itemid:i* order_provider_id:s charttime:t "
        "storetime:t value:s valuenum:f valueuom:s ref_range_lower:f ref_range_upper:f flag:s priority:s "
        "comments:s",
    ),
    "hosp.microbiologyevents": (
        "microevent_id",
        "microevent_id:i* subject_id:i* hadm_id:i micro_specimen_id:i* order_provider_id:s chartdate:t* "
        "charttime:t spec_itemid:i* spec_type_desc:s* test_seq:i* storedate:t storetime:t test_itemid:i "
        "test_name:s org_itemid:i org_name:s isolate_num:i quantity:s ab_itemid:i ab_name:s dilution_text:s "
        "dilution_comparison:s dilution_value:f interpretation:s comments:s",
    ),
    "hosp.omr": (
        "",
        "subject_id:i* chartdate:d* seq_num:i* result_name:s* result_value:s*",
    ),
    "hosp.patients": (
        "subject_id",
        "subject_id:i* gender:s* anchor_age:i anchor_year:i* anchor_year_group:s* dod:d",
    ),
    "hosp.pharmacy": (
        "pharmacy_id",
        "subject_id:i* hadm_id:i* pharmacy_id:i* poe_id:s starttime:t stoptime:t medication:s proc_type:s* "
        "status:s entertime:t* verifiedtime:t route:s frequency:s disp_sched:s infusion_type:s "
        "sliding_scale:s lockout_interval:s basal_rate:f one_hr_max:s doses_per_24_hrs:f duration:f "
        "duration_interval:s expiration_value:i expiration_unit:s expirationdate:t dispensation:s "
        "fill_quantity:s",
    ),
    "hosp.poe": (
        "poe_id",
        "poe_id:s* poe_seq:i* subject_id:i* hadm_id:i ordertime:t* order_type:s* order_subtype:s "
        "transaction_type:s discontinue_of_poe_id:s discontinued_by_poe_id:s order_provider_id:s "
        "order_status:s",
    ),
    "hosp.poe_detail": (
        "poe_id field_name",
        "poe_id:s* poe_seq:i* subject_id:i* field_name:s* field_value:s",
    ),
    "hosp.prescriptions": (
        "pharmacy_id drug_type drug",
        "subject_id:i* hadm_id:i* pharmacy_id:i* poe_id:s poe_seq:i order_provider_id:s starttime:t "
        "stoptime:t drug_type:s* drug:s* formulary_drug_cd:s gsn:s ndc:s prod_strength:s form_rx:s "
        "dose_val_rx:s dose_unit_rx:s form_val_disp:s form_unit_disp:s doses_per_24_hrs:f route:s",
    ),
    "hosp.procedures_icd": (
        "hadm_id seq_num icd_code icd_version",
        "subject_id:i* hadm_id:i* seq_num:i* chartdate:d* icd_code:s icd_version:i",
    ),
    "hosp.provider": (
        "",
        "provider_id:s*",
    ),
    "hosp.services": (
        "hadm_id transfertime curr_service",
        "subject_id:i* hadm_id:i* transfertime:t* prev_service:s curr_service:s",
    ),
    "hosp.transfers": (
        "transfer_id",
        "subject_id:i* hadm_id:i transfer_id:i* eventtype:s careunit:s intime:t outtime:t",
    ),
    "icu.caregiver": (
        "",
        "caregiver_id:i*",
    ),
    "icu.chartevents": (
        "",
        "subject_id:i* hadm_id:i* stay_id:i* caregiver_id:i charttime:t* storetime:t itemid:i* value:s "
        "valuenum:f valueuom:s warning:i",
    ),
    "icu.d_items": (
        "itemid",
        "itemid:i* label:s* abbreviation:s* linksto:s* category:s* unitname:s param_type:s* lownormalvalue:f "
        "highnormalvalue:f",
    ),
    "icu.datetimeevents": (
        "stay_id itemid charttime",
        "subject_id:i* hadm_id:i* stay_id:i* caregiver_id:i charttime:t* storetime:t itemid:i* value:t* "
        "valueuom:s warning:i",
    ),
    "icu.icustays": (
        "stay_id",
        "subject_id:i* hadm_id:i* stay_id:i* first_careunit:s last_careunit:s intime:t outtime:t los:f",
    ),
    "icu.ingredientevents": (
        "",
        "subject_id:i* hadm_id:i* stay_id:i caregiver_id:i starttime:t* endtime:t* storetime:t itemid:i* "
        "amount:f amountuom:s rate:f rateuom:s orderid:i* linkorderid:i statusdescription:s originalamount:f "
        "originalrate:f",
    ),
    "icu.inputevents": (
        "orderid itemid",
        "subject_id:i* hadm_id:i* stay_id:i caregiver_id:i starttime:t* endtime:t* storetime:t itemid:i* "
        "amount:f amountuom:s rate:f rateuom:s orderid:i* linkorderid:i ordercategoryname:s "
        "secondaryordercategoryname:s ordercomponenttypedescription:s ordercategorydescription:s "
        "patientweight:f totalamount:f totalamountuom:s isopenbag:i continueinnextdept:i statusdescription:s "
        "originalamount:f originalrate:f",
    ),
    "icu.outputevents": (
        "stay_id charttime itemid",
        "subject_id:i* hadm_id:i* stay_id:i* caregiver_id:i charttime:t* storetime:t* itemid:i* value:f* valueuom:s",
    ),
    "icu.procedureevents": (
        "orderid",
        "subject_id:i* hadm_id:i* stay_id:i* caregiver_id:i starttime:t* endtime:t* storetime:t* itemid:i* "
        "value:f valueuom:s location:s locationcategory:s orderid:i linkorderid:i ordercategoryname:s "
        "ordercategorydescription:s patientweight:f isopenbag:i continueinnextdept:i statusdescription:s "
        "originalamount:f originalrate:f",
    ),
    "ed.diagnosis": (
        "stay_id seq_num",
        "subject_id:i* stay_id:i* seq_num:i* icd_code:s* icd_version:i* icd_title:s*",
    ),
    "ed.edstays": (
        "stay_id",
        "subject_id:i* hadm_id:i stay_id:i* intime:t* outtime:t* gender:s* race:s arrival_transport:s* disposition:s",
    ),
    "ed.medrecon": (
        "",
        "subject_id:i* stay_id:i* charttime:t name:s gsn:s ndc:s etc_rn:i etccode:s etcdescription:s",
    ),
    "ed.pyxis": (
        "",
        "subject_id:i* stay_id:i* charttime:t med_rn:i* name:s gsn_rn:i* gsn:s",
    ),
    "ed.triage": (
        "stay_id",
        "subject_id:i* stay_id:i* temperature:f heartrate:f resprate:f o2sat:f sbp:f dbp:f pain:s acuity:f "
        "chiefcomplaint:s",
    ),
    "ed.vitalsign": (
        "stay_id charttime",
        "subject_id:i* stay_id:i* charttime:t temperature:f heartrate:f resprate:f o2sat:f sbp:i dbp:i rhythm:s pain:s",
    ),
    "note.discharge": (
        "",
        "note_id:s* subject_id:i* hadm_id:i* note_type:s* note_seq:i* charttime:t* storetime:t text:s*",
    ),
    "note.discharge_detail": (
        "",
        "note_id:s* subject_id:i* field_name:s* field_value:s* field_ordinal:i*",
    ),
    "note.radiology": (
        "",
        "note_id:s* subject_id:i* hadm_id:i note_type:s* note_seq:i* charttime:t* storetime:t text:s*",
    ),
    "note.radiology_detail": (
        "",
        "note_id:s* subject_id:i* field_name:s* field_value:s* field_ordinal:i*",
    ),
}
