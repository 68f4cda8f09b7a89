import { fetchPort } from "./fetch_port";
import { mount } from "./mount";
import "./style.css";

mount(document.getElementById("studio")!, fetchPort());
